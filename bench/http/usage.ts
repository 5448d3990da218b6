import process from 'node:process'

// Loaded with `--import` in front of a server. Returns the process's CPU time in microseconds.
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
// The IPC channel must not keep a server running that should stop.
process.channel?.unref()
