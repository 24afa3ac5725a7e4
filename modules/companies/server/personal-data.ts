import { sql } from '#kit/server/db.ts'
import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { paths } from '../module.ts'
import { workerState } from '../contract/company-worker.ts'

registerPersonalData({
  kinds: [
    {
      entity: 'companyWorker',
      label: '企业员工',
      table: 'company_worker',
      name: 'name',
      mobiles: ['mobile'],
      place: ownerId =>
        sql`(select c.name from company c where c.owner_id = ${ownerId} and c.id = t.company_id)`,
    },
  ],
  tables: {
    company: {
      purpose: '入驻企业的联系人',
      ground: 'contract',
      columns: {
        legal_person: 'name',
        contact_name: 'name',
        contact_phone: 'mobile',
        license: 'kept',
        remark: 'text',
      },
      searchText: { names: ['name', 'contact_name'], codes: ['company_no', 'contact_phone'] },
    },
    company_worker: {
      purpose: '入驻企业员工的通行',
      ground: 'contract',
      people: { companyWorker: inColumn('id'), resident: inColumn('user_id') },
      columns: {
        name: 'name',
        mobile: 'mobile',
        position: 'detail',
        photo: 'files',
        search_text: 'detail',
        delete_tag: { becomes: '-1' },
      },
      exported: ['name', 'mobile', 'position', 'in_date', 'out_date', 'state'],
    },
  },
  blockers: [
    {
      label: '在职的企业员工',
      advice: '请先在「企业员工」办理离职',
      path: paths.workers,
      found: {
        companyWorker: ({ ownerId, ids }) => sql`
          select name as number
          from company_worker
          where owner_id = ${ownerId}
            and id = any(${[...ids]}::bigint[])
            and ${notDeleted()}
            and state in ${codes(workerState, 'active', 'pending')}
        `,
      },
    },
  ],
})
