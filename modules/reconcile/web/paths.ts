import type { Id } from '#kit/domain/id.ts'
import { paths } from '../module.ts'

/** Where a day's reconciliation is shown. */
export const reconcileDayPath = (id: Id): string => paths.channelBillDay.replace(':id', String(id))
