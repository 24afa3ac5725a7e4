import { secretColumn, type CompanyData } from '#kit/server/company-data/declaration.ts'
import { readCardNumbers } from '#modules/residents/server/public.ts'
import { randomCode } from './invite-code.ts'

const renewedAtOnce = 5000

interface Renewed {
  readonly ids: string[]
  readonly codes: string[]
}

/** A new code for each visitor, who has it by the new link alone: the old one is known where it came from. */
export const companyData: CompanyData = {
  tables: {
    invite_code_reading: { label: '门禁设备的读码', omitted: 'transient' },
    invite_visitor: {
      columns: { invite_no: secretColumn('邀请码') },
      // Another one for each row, until all have their new codes.
      imported: { invite_no: `'#' || row_number() over ()` },
    },
  },
  onImport: async (client, ownerId) => {
    const { rows } = await client.query<{ id: string }>(
      'select id from invite_visitor where owner_id = $1 order by id',
      [ownerId],
    )
    const taken = await readCardNumbers(client, ownerId)
    for (let from = 0; from < rows.length; from += renewedAtOnce) {
      const renewed: Renewed = { ids: [], codes: [] }
      for (const { id } of rows.slice(from, from + renewedAtOnce)) {
        let drawn = randomCode()
        while (taken.has(drawn)) {
          drawn = randomCode()
        }
        taken.add(drawn)
        renewed.ids.push(id)
        renewed.codes.push(drawn)
      }
      await client.query(
        `update invite_visitor v
        set invite_no = r.invite_no
        from unnest($2::bigint[], $3::text[]) as r(id, invite_no)
        where v.owner_id = $1 and v.id = r.id`,
        [ownerId, renewed.ids, renewed.codes],
      )
    }
    return rows.length ? ['邀请码已全部更换，请将新的邀请函发给尚未到访的访客'] : []
  },
}
