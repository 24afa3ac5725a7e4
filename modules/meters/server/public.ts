export { billReadings, freeReadings, waitingReadings, type Billed, type WaitingReading, type Wanted } from './waiting.ts'
