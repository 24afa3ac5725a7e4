import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { payerSide, sourceType } from '../contract/choices.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    fee_relation: {
      purpose: '收费关系',
      ground: 'contract',
      people: {
        resident: ({ ids }) => sql`
          (
            (t.payer_kind = ${code(payerSide, 'resident')} and t.payer_id = any(${[...ids]}::bigint[]))
            or (t.source_type = ${code(sourceType, 'resident')} and t.source_code = any(${ids.map(String)}::text[]))
          )
        `,
      },
      columns: { source_name: 'named', stop_reason: 'text', remark: 'text' },
    },
  },
  notPersonal: [
    'fee_formula.remark',
    'fee_item.remark',
    'fee_package.remark',
    'fee_standard.remark',
    'fee_standard_version.reason',
  ],
})
