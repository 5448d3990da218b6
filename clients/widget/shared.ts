import { explain } from './explain.ts'
import type { Shared } from './flow.ts'
import {
  adjustDropoff,
  enteredLength,
  firstPickup,
  hoursAt,
  nearestTime,
  openDate,
  periodError,
  periodOf,
  timesOn,
  todayAt,
} from './period.ts'
import { isField, markField } from './ui/field.ts'
import { attempts, onSubmit } from './ui/form.ts'
import { noticeOf } from './ui/notice.ts'
import { openInline, periodControl } from './ui/periodControl.ts'

export const shared: Shared = {
  adjustDropoff,
  attempts,
  enteredLength,
  explain,
  firstPickup,
  hoursAt,
  isField,
  markField,
  nearestTime,
  noticeOf,
  onSubmit,
  openDate,
  openInline,
  periodControl,
  periodError,
  periodOf,
  timesOn,
  todayAt,
}
