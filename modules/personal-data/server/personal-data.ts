import { sql } from '#kit/server/db.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    erasure_request: {
      purpose: '删除请求的办理记录',
      ground: 'law',
      history: ['t.person_kind', 'person_id'],
      ownBy: ['person_mobile'],
      // A request that is open names whom it is about.
      hints: 't.person_id = 0 and t.end_time is not null',
      columns: {
        person_name: 'name',
        person_mobile: 'mobile',
        applicant_name: 'name',
        reason: 'note',
        evidence: 'keptFiles',
        end_reason: 'note',
        end_name: 'kept',
        approve_name: 'kept',
      },
      exported: ['applicant', 'applicant_name', 'reason', 'due_date', 'state', 'end_reason', 'end_time'],
    },
    personal_data_hold: {
      purpose: '依法保留的凭证上的姓名',
      ground: 'law',
      retention: 'ledger',
      columns: { kept: 'kept' },
    },
  },
  retention: [
    {
      key: 'evidence',
      label: '删除请求的身份核验材料',
      content: '身份证件、委托书等的照片，自请求办结之日起',
      basis: 'GB/T 35273-2020：核验身份后及时删除；办结后留一段时间备查',
      unit: 'day',
      initial: 30,
      min: 1,
      max: 180,
      always: sql`select owner_id from erasure_request where evidence is not null and end_time is not null`,
      steps: [
        {
          table: 'erasure_request',
          clears: ['evidence'],
          due: ({ before }) => sql`t.end_time < ${before} and t.evidence is not null`,
        },
      ],
    },
  ],
})
