/** Told what the embedded database does that takes a while, or puts data elsewhere. */
export type Log = (message: string, fields?: Record<string, unknown>) => void
