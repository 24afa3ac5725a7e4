export {
  findChargedCompanies,
  findCompaniesInRooms,
  findCompanyContacts,
  type ChargedCompany,
  type CompanySpan,
} from './company-queries.ts'
export { onWorkerMobileChanged } from './company-worker.ts'
