import * as choices from './choices.ts'
import * as device from './meter-calls.ts'
import { meter, meterPlan, meterReading, meterReplace } from './meter.ts'
import * as grid from './month-grid.ts'
import * as plan from './plan.ts'
import * as reading from './reading.ts'
import * as report from './report.ts'
import { submitSmartReadings } from './smart.ts'
import * as transfer from './transfer.ts'

export const contract = {
  calls: [
    device.listMeters,
    device.getMeter,
    device.addMeter,
    device.editMeter,
    device.deleteMeters,
    device.deleteMetersBySearch,
    device.setMeterStandard,
    device.listRoomsWithMeters,
    device.printLabels,
    device.startLabels,
    device.replaceMeter,
    device.undoReplacement,
    device.listReplacements,
    device.listMainLosses,
    plan.listPlans,
    plan.getPlan,
    plan.addPlan,
    plan.editPlan,
    plan.deletePlans,
    plan.listUnread,
    plan.setUnreadReason,
    reading.listReadings,
    reading.addReading,
    reading.addReadings,
    reading.editReading,
    reading.deleteReadings,
    reading.deleteReadingsBySearch,
    reading.clearMonthReadings,
    reading.confirmReadings,
    reading.getLastEndNumber,
    reading.getLastEndNumberBeforeMonth,
    grid.listMonthGrid,
    grid.getMonthProgress,
    grid.getEntryContext,
    report.getMeterReport,
    report.listReportDetail,
    report.exportReport,
    ...transfer.importMeters.calls,
    ...transfer.exportMeters.calls,
    ...transfer.importReadings.calls,
    ...transfer.exportReadings.calls,
    transfer.downloadMonthSheet,
    submitSmartReadings,
  ],
  entities: [meter, meterPlan, meterReading, meterReplace],
  choices: [...Object.values(choices).filter(c => 'rows' in c), grid.gridFilter],
}
