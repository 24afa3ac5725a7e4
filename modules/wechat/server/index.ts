import './dependents.ts'
import './messaging-channel.ts'
import './personal-data.ts'
import './web-sign-in.ts'
import { joinServers } from '#kit/server/crud.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { accountServer } from './accounts.ts'
import { articleEndpoint } from './article-page.ts'
import { callbackEndpoints } from './callback.ts'
import { companyData } from './company-data.ts'
import { bindingServer } from './estate-binding.ts'
import { followerServer } from './followers.ts'
import { massJob } from './mass-job.ts'
import { massServer } from './mass.ts'
import { materialServer } from './materials.ts'
import { menuHandlers } from './menus.ts'
import { miniImageServer } from './mini-images.ts'
import { replyServer } from './replies.ts'
import { templateServer } from './templates.ts'
import { tidyInbox } from './tidy.ts'

export const server: ServerModule = {
  ...joinServers(
    accountServer,
    bindingServer,
    replyServer,
    materialServer,
    templateServer,
    followerServer,
    massServer,
    miniImageServer,
    {
      handlers: menuHandlers,
      jobs: [massJob],
      crons: [tidyInbox],
      rawEndpoints: [...callbackEndpoints, articleEndpoint],
    },
  ),
  companyData,
}
