import { sql } from '#kit/server/db.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    room_inspection: {
      purpose: '验房与交付的凭据',
      ground: 'contract',
      // Who was there: the name, in a room of the person.
      people: {
        resident: ({ ownerId, ids, names }) => sql`
          (
            t.owner_name = any(${[...names]}::text[])
            and t.room_code in (
              select r.code
              from user_room l
              join room r on r.owner_id = ${ownerId} and r.owner_id = l.owner_id and r.id = l.room_id
              where l.owner_id = ${ownerId} and l.user_id = any(${[...ids]}::bigint[])
            )
          )
        `,
      },
      columns: { owner_name: 'name', signature: 'files', remark: 'text' },
    },
    inspection_check: {
      purpose: '每次查验的在场人与签名',
      ground: 'contract',
      ownWith: ['room_inspection', 'inspection_id'],
      columns: { owner_name: 'named', signature: 'files', problems: 'text', remark: 'text', photos: 'kept' },
    },
    inspection_finding: {
      purpose: '查验问题',
      ground: 'contract',
      columns: { problem: 'text', photos: 'kept' },
    },
  },
})
