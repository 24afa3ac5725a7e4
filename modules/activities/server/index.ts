import './bill-subjects.ts'
import './dependents.ts'
import './follow-bills.ts'
import './personal-data.ts'
import './resident-part.ts'
import { joinServers } from '#kit/server/crud.ts'
import { activityServer } from './activity.ts'
import { endCron } from './end-activities.ts'
import { homeHandlers } from './home.ts'
import { signServer } from './staff-signs.ts'

export const server = joinServers(activityServer, signServer, { crons: [endCron], handlers: homeHandlers })
