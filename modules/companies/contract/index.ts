import * as company from './company.ts'
import * as join from './join.ts'
import * as transfer from './transfer.ts'
import * as worker from './worker.ts'

export const contract = {
  calls: [
    company.listCompanies,
    company.oneCompany,
    company.addCompany,
    company.editCompany,
    company.deleteCompanies,
    company.moveOut,
    company.planMoveOut,
    company.qrUrl,
    company.renewQr,
    company.listCompanyRooms,
    company.roomsInUse,
    company.addCompanyRooms,
    company.deleteCompanyRooms,
    worker.listWorkers,
    worker.addWorker,
    worker.editWorker,
    worker.deleteWorkers,
    worker.auditWorkers,
    worker.setAdmins,
    join.invitation,
    join.sendJoinCode,
    join.joinCompany,
    ...transfer.importCompanies.calls,
    ...transfer.exportCompanies.calls,
    transfer.importState,
  ],
  entities: [company.company, company.companyRoom, worker.companyWorker],
  choices: [company.companyState, worker.workerState],
}
