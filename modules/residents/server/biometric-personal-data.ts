import { sql } from '#kit/server/db.ts'
import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'

/** Faces and fingers: what people are recognised by. */
registerPersonalData({
  tables: {
    face_key: {
      purpose: '人脸通行（敏感个人信息，单独同意）',
      ground: 'consent',
      retention: 'access',
      isDeleted: true,
      people: { resident: inColumn('user_id'), staff: inColumn('staff_id') },
      columns: { face: 'files', fail_reason: 'note' },
      exported: ['begin_date', 'end_date', 'state'],
    },
    resident_fingerprint: {
      purpose: '指纹通行（敏感个人信息，单独同意）',
      ground: 'consent',
      retention: 'access',
      isDeleted: true,
      people: { resident: inColumn('user_id') },
      columns: { device_sn: 'detail' },
      exported: ['finger_no', 'consent_time'],
    },
    resident_fingerprint_template: {
      purpose: '住户指纹模板，加密保存（敏感个人信息，单独同意）',
      ground: 'consent',
      retention: 'access',
      isDeleted: true,
      people: {
        resident: ({ ownerId, ids }) => sql`
          t.fingerprint_id in (
            select f.id
            from resident_fingerprint f
            where f.owner_id = ${ownerId} and f.user_id = any(${[...ids]}::bigint[])
          )
        `,
      },
      columns: { template: 'detail' },
    },
  },
})
