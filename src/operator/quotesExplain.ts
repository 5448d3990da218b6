import { findQuoteInputs } from '../db/quoteInputs.ts'
import { explainQuote } from '../domain/explain.ts'
import { Refusal } from '../services/refusal.ts'
import { command, exampleId } from './command.ts'
import type { Context } from './context.ts'
import { checkId } from './options.ts'

export const quotesExplain = ({ withDatabase, answer }: Context) =>
  command(
    'explain',
    'Every step of the price of a quote or a booking, from the inputs that were frozen with it.',
    [`rental quotes explain ${exampleId}`],
  )
    .argument('<id>', "the quote's or the booking's")
    .action(async (given) => {
      const id = checkId('a quote or a booking', given)
      const quote = await withDatabase((database) => findQuoteInputs(database, id))
      if (quote === undefined)
        throw new Refusal(`There is no quote and no booking with the id ${id}.`)
      const steps = explainQuote(quote.inputs)
      const { tenantId, inputs } = quote
      answer({ json: { id: quote.id, tenantId, steps, inputs }, text: `${steps.join('\n')}\n` })
    })
