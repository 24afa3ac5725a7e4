import { sql } from '#kit/server/db.ts'
import type { ByPersonKind, PeopleOfKind, PeopleSql } from '#kit/server/personal-data/declaration.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

/** A change of the payer has the number of the person, one of the owner the name and the room. */
const nameOf = (side: 'old' | 'new'): ByPersonKind<PeopleSql> => ({
  resident: ({ ownerId, ids, names }) => sql`
    (
      t.${sql.id(`${side}_ref`)} = any(${[...ids]}::bigint[])
      or (
        t.${sql.id(`${side}_value`)} = any(${[...names]}::text[])
        and t.room_id in (
          select l.room_id
          from user_room l
          where l.owner_id = ${ownerId} and l.user_id = any(${[...ids]}::bigint[])
        )
      )
    )
  `,
})

const [oldName, newName] = [nameOf('old'), nameOf('new')]

/** The reason of a change that is the person's speaks of the person. */
const reasonOf: ByPersonKind<PeopleSql> = Object.fromEntries(
  Object.entries(oldName).flatMap(([kind, isOld]) => {
    const isNew = newName[kind]
    return isNew ? [[kind, (people: PeopleOfKind) => sql`(${isOld(people)} or ${isNew(people)})`]] : []
  }),
)

registerPersonalData({
  tables: {
    room: {
      purpose: '房屋档案',
      ground: 'contract',
      columns: {
        main_owner_name: 'name',
        payer_name: 'name',
        owner_cert_no: 'detail',
        remark: 'text',
      },
      beside: {
        main_owner_name: { resident: ({ ids }) => sql`t.main_owner_id = any(${[...ids]}::bigint[])` },
        owner_cert_no: { resident: ({ ids }) => sql`t.main_owner_id = any(${[...ids]}::bigint[])` },
        payer_name: {
          resident: ({ ids, names }) => sql`
            (t.payer_id = any(${[...ids]}::bigint[]) and t.payer_name = any(${[...names]}::text[]))
          `,
        },
      },
    },
    room_change_log: {
      purpose: '房屋变更的历史',
      ground: 'contract',
      columns: { old_value: 'text', new_value: 'text', reason: 'text', operator_name: 'kept' },
      beside: { old_value: oldName, new_value: newName, reason: reasonOf },
    },
  },
})
