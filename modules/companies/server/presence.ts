import { sql } from '#kit/server/db.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { ofProject, registerPresence } from '#modules/residents/server/public.ts'
import { companyState } from '../contract/company.ts'
import { workerState } from '../contract/company-worker.ts'

// Those who work for a company in the project keep what they have for it when they leave a home: in its
// rooms, or in no room where it never had one.
registerPresence({
  current: ({ ownerId, today, leavingCompanyId, ...query }) => sql`
    select w.user_id, r.room_id
    from company_worker w
    join company c on c.owner_id = ${ownerId} and c.id = w.company_id and ${notDeleted('c')}
      and c.state = ${code(companyState, 'here')}
    left join company_room r on r.owner_id = ${ownerId} and r.company_id = w.company_id
      and ${notDeleted('r')}
      and (r.end_date is null or r.end_date >= ${today}::date)
    where w.owner_id = ${ownerId}
      ${ofProject('w', query)}
      and w.state = ${code(workerState, 'active')}
      and ${notDeleted('w')}
      and w.user_id is not null
      ${leavingCompanyId === undefined ? sql`` : sql`and w.company_id <> ${leavingCompanyId}`}
      and (
        r.id is not null
        or not exists (
          select 1 from company_room o where o.owner_id = ${ownerId} and o.company_id = w.company_id
        )
      )
  `,
  ever: ({ ownerId, ...query }) => sql`
    select w.user_id
    from company_worker w
    where w.owner_id = ${ownerId}
      ${ofProject('w', query)}
      and w.state in ${codes(workerState, 'active', 'left')}
      and w.user_id is not null
  `,
})
