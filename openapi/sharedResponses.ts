import { STATUS_CODES } from 'node:http'

type Responses = Record<string, object>
type Paths = Record<string, Record<string, { responses: Responses }>>

/**
 * Moves the answers that several operations have in common to the components, where tools make one
 * type of them. Changes `paths`; returns the components by name.
 */
export function shareResponses(paths: Paths): Responses {
  const uses = responsesOf(paths).map(
    ([status, answer]) => [status, JSON.stringify(answer)] as const,
  )
  const shared: Responses = {}
  const names = new Map<string, string>()
  for (const [status, text] of uses) {
    const isAlone = uses.filter(([, other]) => other === text).length === 1
    if (isAlone || names.has(text)) continue
    const name = nameOf(status, shared)
    names.set(text, name)
    shared[name] = JSON.parse(text)
  }
  for (const { responses } of operationsOf(paths)) {
    for (const [status, answer] of Object.entries(responses)) {
      const name = names.get(JSON.stringify(answer))
      if (name !== undefined) responses[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  return shared
}

interface Answer {
  readonly content?: Record<string, { examples?: Record<string, object> }>
}

/**
 * Moves the examples of errors to the components, where openapi-generator looks for them. Changes
 * `paths`; returns the examples by name.
 */
export function shareExamples(paths: Paths): Responses {
  const shared: Responses = {}
  const names = new Map<string, string>()
  for (const [, answer] of responsesOf(paths)) {
    const { examples = {} } = (answer as Answer).content?.['application/json'] ?? {}
    for (const [code, example] of Object.entries(examples)) {
      const text = JSON.stringify(example)
      const name = names.get(text) ?? numbered(code, shared)
      names.set(text, name)
      shared[name] = example
      examples[code] = { $ref: `#/components/examples/${name}` }
    }
  }
  return shared
}

const operationsOf = (paths: Paths) =>
  Object.values(paths).flatMap((methods) => Object.values(methods))

const responsesOf = (paths: Paths) =>
  operationsOf(paths).flatMap(({ responses }) => Object.entries(responses))

/** `TooManyRequests`; `Unauthorized2` for another answer of the same status. */
const nameOf = (status: string, taken: Responses) =>
  numbered((STATUS_CODES[status] ?? '').replace(/\W/g, ''), taken)

function numbered(name: string, taken: Responses): string {
  const count = Object.keys(taken).filter((other) => other.replace(/\d+$/, '') === name).length
  return count === 0 ? name : `${name}${count + 1}`
}
