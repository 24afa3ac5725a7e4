import { registerResidentPart } from '#modules/resident-page/server/public.ts'
import { hostLinkOf } from './visitor-link.ts'

registerResidentPart({
  key: 'visitors',
  title: '邀请访客',
  icon: 'visitor',
  order: 40,
  load: async ({ app, resident, home: { kind, id } }) => {
    const url = await hostLinkOf(app, { kind, ownerId: resident.ownerId, id })
    return url === undefined ? undefined : { url }
  },
})
