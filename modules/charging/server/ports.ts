import { keyOf, labelOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { codes } from '#kit/server/sql.ts'
import { orderState, portState, type PortState } from '../contract/choices.ts'

export interface Port {
  readonly id: Id
  readonly hubId: Id
  readonly portNo: number
  readonly state: PortState
  readonly errorText?: string | undefined
  /** The order that is charged there. */
  readonly orderNo?: string | undefined
}

type PortRow = Omit<Port, 'state'> & { readonly state: number }

/** The ports of piles, in their order. */
export async function findPorts(db: Db, ownerId: Id, hubIds: readonly Id[]): Promise<Port[]> {
  const rows = await db.rows<PortRow>(sql`
    select p.id, p.hub_id, p.port_no, p.state, p.error_text, o.order_no
    from charger_port p
    left join charger_order o on o.owner_id = ${ownerId}
      and o.port_id = p.id
      and o.state in ${codes(orderState, 'starting', 'charging')}
    where p.owner_id = ${ownerId} and p.hub_id = any(${[...hubIds]}::bigint[])
    order by p.hub_id, p.port_no
  `)
  return rows.map(row => ({ ...row, state: defined(keyOf(portState, row.state)) }))
}

/** As many ports as the pile has; those that are there stay, with their QR codes. */
export const addPorts = (
  tx: Tx,
  ownerId: Id,
  hub: { readonly id: Id; readonly projectCode: string; readonly portCount: number },
): Promise<unknown> =>
  tx.rows(sql`
    insert into charger_port (owner_id, project_code, hub_id, port_no)
    select ${ownerId}, ${hub.projectCode}, ${hub.id}, n
    from generate_series(1, ${hub.portCount}::int) n
    on conflict (owner_id, hub_id, port_no) do nothing
    returning id
  `)

/** Of a pile without a line nobody knows more. */
export const shownState = (state: PortState, isOnline: boolean): PortState => (isOnline ? state : 'offline')

export const portsText = (ports: readonly Pick<Port, 'portNo' | 'state'>[], isOnline: boolean): string =>
  ports.map(({ portNo, state }) => `${portNo} ${labelOf(portState, shownState(state, isOnline))}`).join('、')
