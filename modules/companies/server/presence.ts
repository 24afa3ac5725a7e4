import { sql } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { registerPresence } from '#modules/residents/server/public.ts'
import { companyState } from '../contract/company.ts'
import { workerState } from '../contract/company-worker.ts'

// Those who work for a company in the project keep what they have for it when they leave a home.
registerPresence(
  ({ ownerId, projectCode, today }) => sql`
    select w.user_id
    from company_worker w
    join company c on c.owner_id = ${ownerId} and c.id = w.company_id and ${notDeleted('c')}
      and c.state = ${code(companyState, 'here')}
    where w.owner_id = ${ownerId}
      and w.project_code = ${projectCode}
      and w.state = ${code(workerState, 'active')}
      and ${notDeleted('w')}
      and w.user_id is not null
      and (
        not exists (
          select 1 from company_room r where r.owner_id = ${ownerId} and r.company_id = w.company_id
        )
        or exists (
          select 1
          from company_room r
          where r.owner_id = ${ownerId}
            and r.company_id = w.company_id
            and ${notDeleted('r')}
            and (r.end_date is null or r.end_date >= ${today}::date)
        )
      )
  `,
)
