import process from 'node:process'

// Loaded with `--import` in front of a server. Returns the process's CPU time in microseconds.
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
// The channel must not keep a server alive that is asked to end.
process.channel?.unref()
