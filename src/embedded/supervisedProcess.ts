import { spawn } from 'node:child_process'
import { EventEmitter, on } from 'node:events'
import { createInterface } from 'node:readline'
import type { Identity } from './runAsUser.ts'

const recentLinesMax = 20

/** Variables such as PGPORT or LC_ALL of the user's shell must not change what we start. */
export const programEnv = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

interface SupervisedOptions {
  readonly command: string
  readonly args: readonly string[]
  /** The whole environment of the child; nothing of ours leaks in. */
  readonly env: Readonly<Record<string, string>>
  readonly identity?: Identity | undefined
  /**
   * The signal that asks the child to end; by default SIGINT, PostgreSQL's fast shutdown. The shell
   * starts it with SIGINT ignored: programs without a handler of their own (in tests) need SIGTERM.
   */
  readonly stopSignal?: 'INT' | 'TERM'
  /** Removed once the child has ended, however it or this process ended. */
  readonly removeOnExit?: readonly string[]
}

/**
 * The shell waits for the child and, beside it, for the end of its own stdin. That pipe closes
 * when this process ends in any way, SIGKILL included, and then the child is asked to end. Signals
 * meant for the whole group or unit must not cut the shell off from the child it watches over.
 */
function script(options: SupervisedOptions): string {
  const { stopSignal = 'INT', removeOnExit = [] } = options
  const quoted = removeOnExit.map((path) => `'${path.replaceAll("'", `'\\''`)}'`)
  return [
    'exec 3<&0',
    'trap : HUP INT TERM',
    '"$@" </dev/null 3<&- & child=$!',
    "(trap '' HUP INT TERM; read -r _ <&3",
    // A child that has only just been started does not hear it yet.
    `while kill -${stopSignal} $child 2>/dev/null; do sleep 0.5 >/dev/null 2>&1; done) &`,
    'watcher=$!',
    // Some shells report the end of the watcher there, amid what the child writes.
    'exec 2>/dev/null',
    'wait $child; status=$?',
    'while kill -0 $child 2>/dev/null; do wait $child; status=$?; done',
    'kill -KILL $watcher 2>/dev/null',
    `rm -rf -- ${quoted.join(' ')}`,
    'exit $status',
  ].join('\n')
}

function spawnShell(options: SupervisedOptions) {
  const { command, args, env, identity } = options
  return spawn('/bin/sh', ['-c', script(options), 'supervised', command, ...args], {
    // The child's user may not be allowed into our working directory.
    cwd: '/',
    // In a group of its own, so that Ctrl-C reaches us first and we can drain.
    detached: true,
    env,
    ...identity,
  })
}

/** Starts a program that ends with this process. Never throws: see `exited` and `recentLines`. */
export function startSupervised(options: SupervisedOptions) {
  const child = spawnShell(options)
  const recent: string[] = []
  const output = new EventEmitter<{ line: [string] }>()
  const note = (line: string) => {
    recent.push(line)
    if (recent.length > recentLinesMax) recent.shift()
    output.emit('line', line)
  }
  // Writing to a shell that has already gone is no news: `exited` tells it.
  child.stdin.on('error', () => {})
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', note)
  const exited = new Promise<number>((resolve) => {
    child.once('error', (error) => {
      note(error.message)
      resolve(1)
    })
    child.once('close', (code) => resolve(code ?? 1))
  })
  const ended = new AbortController()
  void exited.then((code) => ended.abort(new Error(`ended with exit code ${code}`)))

  return {
    /** The last lines the child wrote, oldest first. */
    recentLines: (): readonly string[] => [...recent],
    /** Resolves with the exit code when the child and all its descendants are gone. */
    exited,
    /** Waits for a line; rejects, with the reason as cause, if the child ends or time is up first. */
    async line(pattern: RegExp, timeoutMs: number): Promise<void> {
      const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(timeoutMs)])
      for await (const [line] of on(output, 'line', { signal })) if (pattern.test(line)) return
    },
    /** Asks the child to end and resolves when it is gone. Safe to call twice. */
    async stop(): Promise<void> {
      child.stdin.end()
      await exited
    },
  }
}
