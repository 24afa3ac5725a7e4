export {
  chargedCompanies,
  companiesInRooms,
  companyContacts,
  type ChargedCompany,
  type HeldSpan,
} from './held.ts'
