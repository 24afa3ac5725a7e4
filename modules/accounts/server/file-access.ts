// Logos are on every paper that anybody prints, and the faces of colleagues on many screens.
import { sql } from '#kit/server/db.ts'
import { registerFileAccess, registerFileHolder } from '#kit/server/file-access.ts'
import { tenantFilter } from '#kit/server/table.ts'
import { property } from '../contract/company.ts'
import { manager } from '../contract/manager.ts'
import { propertyPrint } from '../contract/print-settings.ts'

for (const entity of [property, propertyPrint, manager]) {
  registerFileAccess(entity.name, caller => tenantFilter(entity, caller))
}

/** A receipt is printed again as it was: with the logo of that time. */
registerFileHolder(
  ({ ownerId }, keys) => sql`
    select logo.key
    from print_edition t
    cross join lateral unnest(array[t.body ->> 'logo', t.body ->> 'companyLogo']) logo (key)
    where t.owner_id = ${ownerId} and logo.key = any(${[...keys]}::text[])
  `,
)
