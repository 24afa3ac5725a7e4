import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    erasure_request: {
      purpose: '删除请求的办理记录',
      ground: 'law',
      history: ['person_kind', 'person_id'],
      ownBy: ['person_mobile'],
      columns: {
        person_name: 'name',
        person_mobile: 'mobile',
        applicant_name: 'name',
        reason: 'note',
        evidence: 'files',
        end_reason: 'note',
        end_name: 'kept',
      },
      exported: ['applicant', 'applicant_name', 'reason', 'due_date', 'state', 'end_reason', 'end_time'],
    },
  },
})
