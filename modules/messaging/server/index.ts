import { joinServers } from '#kit/server/crud.ts'
import { defineInterval } from '#kit/server/intervals.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { companyData } from './company-data.ts'
import { dispatchMessages, settleMessages } from './dispatcher.ts'

const intervals = [defineInterval({ name: 'messages', everyMs: 1000, run: app => dispatchMessages(app) })]
const settleCron = defineCron({ name: 'messages-settle', schedule: '*/10 * * * *', run: settleMessages })

export const server = joinServers({ companyData, intervals, crons: [settleCron], handlers: [] })
