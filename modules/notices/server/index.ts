import './personal-data.ts'
import { joinServers } from '#kit/server/crud.ts'
import { advertisementServer } from './advertisements.ts'
import { noticeCrons } from './clock.ts'
import { companyData } from './company-data.ts'
import { staffNoticeServer } from './direct-staff.ts'
import { userNoticeServer } from './direct-users.ts'
import { homeHandlers } from './home.ts'
import { matterServer } from './matters.ts'
import { noticeServer } from './notices.ts'
import { previewHandlers } from './preview.ts'
import { receiverServer } from './receivers.ts'
import { reminderHandlers } from './reminder.ts'
import { screenServer } from './screens.ts'
import { statisticHandlers } from './statistics.ts'
import { templateServer } from './templates.ts'

export const server = joinServers(
  noticeServer,
  receiverServer,
  templateServer,
  userNoticeServer,
  staffNoticeServer,
  screenServer,
  advertisementServer,
  matterServer,
  {
    companyData,
    crons: noticeCrons,
    handlers: [...previewHandlers, ...reminderHandlers, ...homeHandlers, ...statisticHandlers],
  },
)
