import './personal-data.ts'
import './dependents.ts'
import { joinServers } from '#kit/server/crud.ts'
import { accountServer } from './account.ts'
import { companyData } from './company-data.ts'
import { merchantPickers, merchantServer, merchantStaffServer } from './merchant.ts'
import { signInHandlers } from './sign-in.ts'

export const server = joinServers(merchantServer, merchantStaffServer, merchantPickers, accountServer, {
  companyData,
  handlers: signInHandlers,
})
