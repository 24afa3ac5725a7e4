export {
  billReadings,
  freeReadings,
  waitingReadings,
  type Billed,
  type WaitingReading,
  type Wanted,
} from './waiting.ts'

/** How usage is counted by month, for other sums of the same readings. */
export { countedOnce, dueThen, metersByMonth } from './report.ts'
export { usageOfRooms } from './month-usage.ts'
