import { joinServers } from '#kit/server/crud.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { companyData } from './company-data.ts'
import { generateDue } from './generate.ts'

export const server = joinServers({
  crons: [defineCron({ name: 'work-tasks', schedule: '5 0 * * *', run: generateDue })],
  companyData,
})
