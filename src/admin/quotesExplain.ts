import { findQuoteInputs } from '../db/quoteInputs.ts'
import { explainQuote } from '../domain/explain.ts'
import { Refusal } from '../services/refusal.ts'
import type { Command } from './command.ts'
import { checkId } from './ids.ts'

export const quotesExplainCommand: Command = {
  name: 'quotes explain',
  summary:
    'Every step of the price of a quote or a booking, from the inputs that were frozen with it.',
  args: ['ID'],
  options: [],
  examples: ['rental quotes explain 4f1c2a9e-6b0d-4c57-9a51-7d1f0c7f5a11'],
  async run({ args: [given], withDatabase }) {
    const id = checkId('a quote or a booking', given)
    const quote = await withDatabase((database) => findQuoteInputs(database, id))
    if (quote === undefined)
      throw new Refusal(`There is no quote and no booking with the id ${id}.`)
    const steps = explainQuote(quote.inputs)
    const { tenantId, inputs } = quote
    return { json: { id: quote.id, tenantId, steps, inputs }, text: `${steps.join('\n')}\n` }
  },
}
