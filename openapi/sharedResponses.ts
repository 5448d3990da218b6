import { STATUS_CODES } from 'node:http'

type Responses = Record<string, object>
type Paths = Record<string, Record<string, { responses: Responses }>>

/**
 * Moves responses used by several operations to the components, so that generators create one type
 * for each. Changes `paths`; returns the components by name.
 */
export function shareResponses(paths: Paths): Responses {
  const uses = responsesOf(paths).map(
    ([status, response]) => [status, JSON.stringify(response)] as const,
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
    for (const [status, response] of Object.entries(responses)) {
      const name = names.get(JSON.stringify(response))
      if (name !== undefined) responses[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  return shared
}

interface ResponseObject {
  readonly content?: Record<string, { examples?: Record<string, object> }>
}

/**
 * Moves error examples to the components, where openapi-generator expects them. Changes `paths`;
 * returns the examples by name.
 */
export function shareExamples(paths: Paths): Responses {
  const shared: Responses = {}
  const names = new Map<string, string>()
  for (const [, response] of responsesOf(paths)) {
    const { examples = {} } = (response as ResponseObject).content?.['application/json'] ?? {}
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

/** Returns a name such as `TooManyRequests`, or `Unauthorized2` if the name is taken. */
const nameOf = (status: string, taken: Responses) =>
  numbered((STATUS_CODES[status] ?? '').replace(/\W/g, ''), taken)

function numbered(name: string, taken: Responses): string {
  const count = Object.keys(taken).filter((other) => other.replace(/\d+$/, '') === name).length
  return count === 0 ? name : `${name}${count + 1}`
}
