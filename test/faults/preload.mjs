// Loaded into a replica with --import, for faults that cannot be injected from outside the process.

const offsetMs = Number(process.env.FAULT_CLOCK_OFFSET_MS ?? 0)
if (offsetMs !== 0) {
  const RealDate = Date
  globalThis.Date = class extends RealDate {
    constructor(...values) {
      if (values.length === 0) super(RealDate.now() + offsetMs)
      else super(...values)
    }
    static now() {
      return RealDate.now() + offsetMs
    }
  }
}

// Shortens all intervals of a minute or more.
const intervalMs = Number(process.env.FAULT_INTERVAL_MS ?? 0)
if (intervalMs !== 0) {
  const { setInterval } = globalThis
  globalThis.setInterval = (work, delayMs, ...values) =>
    setInterval(work, delayMs < 60_000 ? delayMs : intervalMs, ...values)
}

const blockMs = 3_000

/** Returns an error that contains a row, like errors of pg. */
const unforeseen = (message) =>
  Object.assign(new Error(message), { detail: 'Failing row contains (Kari, Nordmann).' })

const actions = {
  throw: () => {
    throw unforeseen('Nobody expected this')
  },
  reject: () => {
    void Promise.reject(unforeseen('Nobody awaited this'))
  },
  rejectText: () => {
    void Promise.reject('Kari Nordmann')
  },
  block: () => {
    const untilMs = performance.now() + blockMs
    while (performance.now() < untilMs);
  },
  fill: () => {
    const memory = []
    for (;;) memory.push(new Array(100_000).fill(memory.length))
  },
}
const action = actions[process.env.FAULT_ON_USR2]
if (action !== undefined) process.on('SIGUSR2', () => setImmediate(action))
