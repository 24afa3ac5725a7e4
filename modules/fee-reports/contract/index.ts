import { received, receivedBy } from './received.ts'
import { fcSummary, moneyKind, monthBy, rebuildDay, tillBy, tillDays, tillMonths } from './till.ts'

/** Every report; a further one is one line here. */
export const reports = [tillDays, tillMonths, received]
export const contract = {
  calls: [rebuildDay, ...reports.flatMap(r => [r.list, ...r.export.calls])],
  entities: [fcSummary],
  choices: [moneyKind, tillBy, monthBy, receivedBy],
}
