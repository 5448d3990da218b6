import { findQuoteInputs } from '../../db/queries/quotes/findQuoteInputs.ts'
import { explainQuote } from '../../domain/pricing/explain.ts'
import { unknownId } from '../../services/operatorError.ts'
import { resolveQuote } from '../../services/resolveIds.ts'
import { type Context, command, exampleId } from '../command.ts'
import { idHelp } from '../options.ts'
import { sanitizeLine } from '../terminal/cell.ts'

export const quotesExplain = ({ withDatabase, finish }: Context) =>
  command('explain', 'Explain step by step how the price of a quote or booking was calculated.', [
    `rental quotes explain ${exampleId}`,
  ])
    .argument('<id>', idHelp('quote or booking'))
    .action(async (id) => {
      const quote = await withDatabase(async (database) =>
        findQuoteInputs(database, await resolveQuote(database, id)),
      )
      if (quote === undefined) throw unknownId('quote or booking', id)
      const { tenantId, inputs } = quote
      const json = { id: quote.id, tenantId, steps: explainQuote(inputs), inputs }
      // Names are user input, so remove control characters before printing them.
      const shownInputs: typeof inputs = JSON.parse(JSON.stringify(inputs), (field, value) =>
        field === 'name' && typeof value === 'string' ? sanitizeLine(value) : value,
      )
      finish({ json, text: `${explainQuote(shownInputs).join('\n')}\n` })
    })
