import * as choices from './choices.ts'
import * as device from './device.ts'
import { meter, meterPlan, meterReading, meterReplace } from './meter.ts'
import * as plan from './plan.ts'
import * as reading from './reading.ts'
import * as report from './report.ts'
import { smartReadings } from './smart.ts'
import * as transfer from './transfer.ts'

export const contract = {
  calls: [
    device.listMeters,
    device.oneMeter,
    device.addMeter,
    device.editMeter,
    device.deleteMeters,
    device.deleteFound,
    device.setStandard,
    device.roomsAndMeters,
    device.printLabels,
    device.changeMeter,
    device.undoChange,
    device.listReplaced,
    device.mainLoss,
    plan.listPlans,
    plan.onePlan,
    plan.addPlan,
    plan.editPlan,
    plan.deletePlans,
    plan.listUnread,
    plan.sayUnread,
    reading.listReadings,
    reading.addReading,
    reading.addReadings,
    reading.editReading,
    reading.deleteReadings,
    reading.deleteReadingsFound,
    reading.clearMonthCall,
    reading.confirmReadings,
    reading.lastEndNumberCall,
    reading.lastBeforeMonth,
    reading.monthGrid,
    reading.monthCount,
    reading.readingCom,
    report.report,
    report.reportDetail,
    report.exportReport,
    ...transfer.importMeters.calls,
    ...transfer.exportMeters.calls,
    ...transfer.importReadings.calls,
    ...transfer.exportReadings.calls,
    transfer.monthSheet,
    smartReadings,
  ],
  entities: [meter, meterPlan, meterReading, meterReplace],
  choices: [...Object.values(choices).filter(c => 'rows' in c), reading.gridShow],
}
