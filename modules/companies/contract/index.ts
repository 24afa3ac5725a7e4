import * as company from './company.ts'
import * as join from './join.ts'
import * as transfer from './import-export.ts'
import * as worker from './company-worker.ts'

export const contract = {
  calls: [
    company.listCompanies,
    company.getCompany,
    company.addCompany,
    company.editCompany,
    company.deleteCompanies,
    company.moveOutCompany,
    company.previewMoveOut,
    company.getCompanyQr,
    company.renewCompanyQr,
    company.listCompanyRooms,
    company.findRoomsInUse,
    company.addCompanyRooms,
    company.deleteCompanyRooms,
    worker.listWorkers,
    worker.addWorker,
    worker.editWorker,
    worker.deleteWorkers,
    worker.auditWorkers,
    worker.setCompanyAdmins,
    join.getInvitation,
    join.sendJoinCode,
    join.joinCompany,
    ...transfer.importCompanies.calls,
    ...transfer.exportCompanies.calls,
    transfer.getImportState,
  ],
  entities: [company.company, company.companyRoom, worker.companyWorker],
  choices: [company.companyState, worker.workerState],
}
