import type pg from 'pg'

/** The number of tasks that Citus executes for a statement. */
export interface Plan {
  readonly statement: string
  tasks: number
}

interface PlanNode {
  readonly 'Distributed Query'?: { readonly Job?: { readonly 'Task Count': number } }
  readonly Plans?: readonly PlanNode[]
}

function tasksOf(node: PlanNode): number {
  const own = node['Distributed Query']?.Job?.['Task Count'] ?? 0
  return (node.Plans ?? []).reduce((sum, inner) => sum + tasksOf(inner), own)
}

/** EXPLAIN does not show delegated functions, but Citus reports the delegation in a message. */
const delegated = /^(not )?pushing down (the )?function/

/**
 * Reads the plan of each named statement before it runs. The pool must not have connected yet.
 * Subplans count as separate tasks.
 */
export function watchPlans(pool: pg.Pool, plans: Plan[]): void {
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as (...sent: unknown[]) => Promise<pg.QueryResult>
    let current: Plan | undefined
    client.on('notice', ({ message = '' }) => {
      if (current !== undefined && delegated.test(message)) current.tasks += 1
    })
    const query = async (sent: unknown, ...more: unknown[]) => {
      const { name, text, values = [] } = sent as pg.QueryConfig & { values?: unknown[] }
      if (name === undefined) return send(sent, ...more)
      if (/\bfrom (redeem_quote|store_quotes)\(/.test(text)) {
        current = { statement: name, tasks: 0 }
        plans.push(current)
        await send('set client_min_messages = debug1')
        const result = await send(sent, ...more)
        // The caller already has the result and may close the connection.
        await send('reset client_min_messages').catch(() => {})
        return result
      }
      const given = more[0] ?? values
      const { rows } = await send({ text: `explain (format json) ${text}`, values: given })
      plans.push({ statement: name, tasks: tasksOf(rows[0]?.['QUERY PLAN'][0].Plan) })
      return send(sent, ...more)
    }
    Object.assign(client, { query })
  })
}
