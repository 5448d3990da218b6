import process from 'node:process'

/** What a measured process tells of itself: processor time in microseconds, memory in bytes. */
export interface Usage {
  readonly cpuMicros: number
  readonly residentBytes: number
}

// Loaded with `--import` in front of a server, which then answers its parent's questions. The
// channel must not keep a server alive that is asked to end.
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  const usage: Usage = { cpuMicros: user + system, residentBytes: process.memoryUsage.rss() }
  process.send?.(usage)
})
process.channel?.unref()
