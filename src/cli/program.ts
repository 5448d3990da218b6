import { type CommandUnknownOpts, Help } from '@commander-js/extra-typings'
import { version } from '../config/projectRoot.ts'
import { type Context, command, group } from './command.ts'
import { bookingsCancel, bookingsConfirm, bookingsReject } from './commands/bookingsDecide.ts'
import { bookingsList, bookingsShow } from './commands/bookingsList.ts'
import { bookingsWatch } from './commands/bookingsWatch.ts'
import { conform } from './commands/conform.ts'
import { customersErase } from './commands/customersErase.ts'
import { fleetBlock, fleetUnblock } from './commands/fleetBlock.ts'
import { fleetSchemaCommand, fleetTemplate } from './commands/fleetFormat.ts'
import { fleetImport } from './commands/fleetImport.ts'
import { fleetExport, fleetShow } from './commands/fleetShow.ts'
import { keysCreate, keysRevoke, keysRotate, keysSet } from './commands/keys.ts'
import { keysList, keysShow } from './commands/keysShow.ts'
import { audit, distribute, maintain, migrate } from './commands/maintenance.ts'
import { quotesExplain } from './commands/quotesExplain.ts'
import { siteConfig } from './commands/siteConfig.ts'
import { tenantsList, tenantsSet, tenantsShow } from './commands/tenants.ts'
import { transfer } from './commands/transfer.ts'
import { targetDatabaseLine } from './database.ts'
import { notEmpty } from './options.ts'
import { sanitizeForTerminal } from './terminal/cell.ts'
import { helpConfiguration } from './terminal/help.ts'

const summary =
  'Manage the rental booking API. Uses the database at DATABASE_URL, or the embedded one in ' +
  'DATA_DIR. Exit codes: 0 success, 1 failure, 2 usage error.'
const firstSteps = [
  'rental fleet import examples/small-fleet.json',
  "rental keys create --tenant my-rental --name 'My site' --scopes all",
]
const columnsWithoutTerminal = 80

/** Creates the program with all commands, which throws CommanderError for usage errors. */
export function rental(context: Context) {
  const { io, config } = context
  const columns = () => io.columns ?? columnsWithoutTerminal
  const program = command('rental', summary, firstSteps)
    .version(version, '--version', 'print the version')
    .option('--json', 'print the result as JSON')
    .option('--database-url <url>', 'the database, instead of DATABASE_URL', notEmpty)
    .helpCommand(false)
    .configureHelp(helpConfiguration)
    .configureOutput({
      writeOut: io.writeOut,
      writeErr: (text) => io.writeError(sanitizeForTerminal(text)),
      getOutHelpWidth: columns,
      getErrHelpWidth: columns,
    })
    .exitOverride()
    .hook('preAction', (_, action) => io.writeError(targetDatabaseLine(action, config)))
  for (const make of commands) program.addCommand(make(context))
  applySettings(program)
  return program
}

const commands = [
  migrate,
  distribute,
  group('fleet', 'Import, export and show fleets; block vehicles.', [
    fleetImport,
    fleetExport,
    fleetShow,
    fleetBlock,
    fleetUnblock,
    fleetTemplate,
    fleetSchemaCommand,
  ]),
  group('tenants', 'Manage tenants.', [tenantsList, tenantsShow, tenantsSet]),
  group('keys', 'Manage API keys.', [
    keysCreate,
    keysList,
    keysRevoke,
    keysRotate,
    keysSet,
    keysShow,
  ]),
  group('bookings', 'List bookings and decide on them.', [
    bookingsList,
    bookingsShow,
    bookingsWatch,
    bookingsConfirm,
    bookingsReject,
    bookingsCancel,
  ]),
  group('customers', 'Erase personal data.', [customersErase]),
  group('quotes', 'Explain quoted prices.', [quotesExplain]),
  group('site', "Configure a tenant's website.", [siteConfig]),
  audit,
  maintain,
  transfer,
  conform,
]

/** Copies the program's settings to all commands, which `addCommand` does not do. */
function applySettings(parent: CommandUnknownOpts): void {
  parent.showHelpAfterError(
    `Usage: ${new Help().commandUsage(parent)}\nRun with --help for details.`,
  )
  for (const child of parent.commands) applySettings(child.copyInheritedSettings(parent))
}
