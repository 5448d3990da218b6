import { type CommandUnknownOpts, Help } from '@commander-js/extra-typings'
import { version } from '../version.ts'
import { databaseToAnnounce } from './announceDatabase.ts'
import { audit } from './audit.ts'
import { bookingsCancel, bookingsConfirm } from './bookingsDecide.ts'
import { bookingsList } from './bookingsList.ts'
import { bookingsRehearse } from './bookingsRehearse.ts'
import { bookingsReject } from './bookingsReject.ts'
import { bookingsReview } from './bookingsReview.ts'
import { bookingsShow } from './bookingsShow.ts'
import { bookingsWatch } from './bookingsWatch.ts'
import { harmless } from './cell.ts'
import { command, group } from './command.ts'
import { conform } from './conform.ts'
import type { Context } from './context.ts'
import { customersErase } from './customersErase.ts'
import { distribute } from './distribute.ts'
import { fleetBlock } from './fleetBlock.ts'
import { fleetExport } from './fleetExport.ts'
import { fleetImport } from './fleetImport.ts'
import { fleetShow } from './fleetShow.ts'
import { fleetUnblock } from './fleetUnblock.ts'
import { helpConfiguration } from './help.ts'
import { keysCreate } from './keysCreate.ts'
import { keysList } from './keysList.ts'
import { keysRevoke } from './keysRevoke.ts'
import { keysRotate } from './keysRotate.ts'
import { keysSet } from './keysSet.ts'
import { keysShow } from './keysShow.ts'
import { maintain } from './maintain.ts'
import { migrate } from './migrate.ts'
import { notEmpty } from './options.ts'
import { quotesExplain } from './quotesExplain.ts'
import { siteConfig } from './siteConfig.ts'
import { tenantsList } from './tenantsList.ts'
import { tenantsSet } from './tenantsSet.ts'
import { tenantsShow } from './tenantsShow.ts'

const summary =
  'Manage the rental booking API. Uses the database at DATABASE_URL, or the embedded one in ' +
  'DATA_DIR. Exit codes: 0 success, 1 refused, 2 usage error.'
const firstSteps = [
  'rental fleet import examples/fleet.json',
  "rental keys create --tenant fjord-cars --name 'My site' --scopes all",
]
/** Scripts get the lines of a terminal that nobody has made smaller. */
const columnsWithoutTerminal = 80

/**
 * The whole command line, in the order in which `rental help` shows it. Usage errors are thrown.
 */
export function rental(context: Context) {
  const { io, environment } = context
  const columns = () => io.columns ?? columnsWithoutTerminal
  const program = command('rental', summary, firstSteps)
    .version(version, '--version', 'print the version')
    .option('--json', 'print the result as JSON')
    .option('--database-url <url>', 'the database, instead of DATABASE_URL', notEmpty)
    .helpCommand(false)
    .configureHelp(helpConfiguration)
    .configureOutput({
      writeOut: io.writeOut,
      writeErr: (text) => io.writeError(harmless(text)),
      getOutHelpWidth: columns,
      getErrHelpWidth: columns,
    })
    .exitOverride()
    .hook('preAction', (_, action) => io.writeError(databaseToAnnounce(action, environment())))
  for (const each of commandsWith(context)) program.addCommand(each)
  settle(program)
  return program
}

function commandsWith(context: Context): CommandUnknownOpts[] {
  return [
    migrate(context),
    distribute(context),
    group('fleet', 'Import and export fleet files, block vehicles.', [
      fleetImport(context),
      fleetExport(context),
      fleetShow(context),
      fleetBlock(context),
      fleetUnblock(context),
    ]),
    group('tenants', 'Manage tenants.', [
      tenantsList(context),
      tenantsShow(context),
      tenantsSet(context),
    ]),
    group('keys', 'Manage API keys.', [
      keysCreate(context),
      keysList(context),
      keysRevoke(context),
      keysRotate(context),
      keysSet(context),
      keysShow(context),
    ]),
    group('bookings', 'List bookings and decide on them.', [
      bookingsList(context),
      bookingsShow(context),
      bookingsReview(context),
      bookingsWatch(context),
      bookingsConfirm(context),
      bookingsReject(context),
      bookingsCancel(context),
      bookingsRehearse(context),
    ]),
    group('customers', 'Erase personal data.', [customersErase(context)]),
    group('quotes', 'Explain quoted prices.', [quotesExplain(context)]),
    group('site', 'Tell a website about its tenant.', [siteConfig(context)]),
    audit(context),
    maintain(context),
    conform(context),
  ]
}

/** Commands that were made apart from the program don't inherit its settings by themselves. */
function settle(parent: CommandUnknownOpts): void {
  parent.showHelpAfterError(
    `Usage: ${new Help().commandUsage(parent)}\nRun with --help for details.`,
  )
  for (const child of parent.commands) settle(child.copyInheritedSettings(parent))
}
