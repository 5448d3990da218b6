import { auditCommand } from './audit.ts'
import { bookingsListCommand } from './bookingsList.ts'
import {
  bookingsCancelCommand,
  bookingsConfirmCommand,
  bookingsRejectCommand,
} from './bookingsReview.ts'
import type { Command } from './command.ts'
import { completionCommand } from './completion.ts'
import { conformCommand } from './conform.ts'
import { customersEraseCommand } from './customersErase.ts'
import { fleetImportCommand } from './fleetImport.ts'
import { keysCreateCommand } from './keysCreate.ts'
import { keysListCommand } from './keysList.ts'
import { keysRevokeCommand } from './keysRevoke.ts'
import { keysRotateCommand } from './keysRotate.ts'
import { keysSetCommand } from './keysSet.ts'
import { maintainCommand } from './maintain.ts'
import { migrateCommand } from './migrate.ts'
import { quotesExplainCommand } from './quotesExplain.ts'
import { tenantsListCommand } from './tenantsList.ts'
import { tenantsSetCommand } from './tenantsSet.ts'

/** The operator's command line, in the order in which `rental help` shows it. */
export const commands: readonly Command[] = [
  migrateCommand,
  fleetImportCommand,
  tenantsListCommand,
  tenantsSetCommand,
  keysCreateCommand,
  keysListCommand,
  keysRevokeCommand,
  keysRotateCommand,
  keysSetCommand,
  bookingsListCommand,
  bookingsConfirmCommand,
  bookingsRejectCommand,
  bookingsCancelCommand,
  customersEraseCommand,
  quotesExplainCommand,
  auditCommand,
  maintainCommand,
  conformCommand,
  completionCommand(() => commands),
]
