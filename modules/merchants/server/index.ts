import './personal-data.ts'
import './dependents.ts'
import { joinServers } from '#kit/server/crud.ts'
import { merchantPickers, merchantServer, merchantStaffServer } from './merchant.ts'

export const server = joinServers(merchantServer, merchantStaffServer, merchantPickers)
