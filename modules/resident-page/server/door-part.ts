import { ownLinkOf } from '#modules/access/server/public.ts'
import { registerResidentPart } from './parts.ts'

registerResidentPart({
  key: 'door',
  title: '手机开门',
  icon: 'door',
  order: 50,
  load: async ({ app, resident, home: { kind, id } }) => {
    const url = await ownLinkOf(app, { kind, ownerId: resident.ownerId, id })
    return url === undefined ? undefined : { url }
  },
})
