import { findQuoteInputs } from '../db/quoteInputs.ts'
import { explainQuote } from '../domain/explain.ts'
import { Refusal } from '../services/refusal.ts'
import { resolveQuote } from '../services/resolveIds.ts'
import { command, exampleId } from './command.ts'
import type { Context } from './context.ts'

export const quotesExplain = ({ withDatabase, answer }: Context) =>
  command('explain', 'Explain step by step how the price of a quote or booking was calculated.', [
    `rental quotes explain ${exampleId}`,
  ])
    .argument('<id>', 'ID of the quote or booking, or its first 6 or more characters')
    .action(async (id) => {
      const quote = await withDatabase(async (database) =>
        findQuoteInputs(database, await resolveQuote(database, id)),
      )
      if (quote === undefined) throw new Refusal(`There is no quote or booking with the ID ${id}.`)
      const steps = explainQuote(quote.inputs)
      const { tenantId, inputs } = quote
      answer({ json: { id: quote.id, tenantId, steps, inputs }, text: `${steps.join('\n')}\n` })
    })
