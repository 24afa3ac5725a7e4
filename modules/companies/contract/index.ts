import * as company from './company.ts'
import * as join from './join.ts'
import * as transfer from './import-export.ts'
import * as worker from './company-worker.ts'

export const contract = {
  calls: [
    ...company.companies.calls,
    company.pickCompanies,
    company.moveOutCompany,
    company.previewMoveOut,
    company.getCompanyQr,
    company.renewCompanyQr,
    ...company.companyRooms.calls,
    company.findRoomsInUse,
    company.addCompanyRooms,
    company.deleteCompanyRooms,
    ...worker.companyWorkers.calls,
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
