/** What other modules show to residents: their pages behind a token, their parts of the home page. */
export { residentPageUrl, residentPageUrls, withToken } from './address.ts'
export { entranceUrlOf } from './entrance-link.ts'
export { chosenHome, findCompanyName, homeKeyOf } from './home.ts'
export {
  registerResidentPart,
  type PartContent,
  type PartContext,
  type PartItem,
  type ResidentPart,
} from './parts.ts'
export { findHomes, readResident, type Resident, type ResidentHome } from './resident.ts'
