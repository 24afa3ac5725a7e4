import { parseId, type Id } from '#kit/domain/id.ts'
import type { FlowNode } from '../contract/process.ts'

/** The people of a company, as approvals need them at one moment. */
export interface People {
  readonly accounts: readonly {
    readonly id: Id
    readonly name: string
    readonly isActive: boolean
    readonly isOwner: boolean
    /** May look at things alone: decides nothing (PERM-1). */
    readonly isReadOnly: boolean
    readonly roleIds: readonly string[]
  }[]
  readonly departments: readonly {
    readonly id: Id
    readonly parentId?: Id
    /** The account of its head. */
    readonly leaderId?: Id
  }[]
  readonly staff: readonly {
    readonly managerId: Id
    readonly departmentId?: Id
    readonly tags?: readonly string[]
  }[]
  readonly delegates: readonly { readonly principalId: Id; readonly delegateId: Id }[]
}

const maxLevels = 20

/** A department and those above it, the nearest first. */
export function departmentLine({ departments }: People, id: Id | undefined): Id[] {
  const byId = new Map(departments.map(d => [d.id, d]))
  const line: Id[] = []
  for (
    let at = id;
    at !== undefined && !line.includes(at) && line.length < maxLevels;
    at = byId.get(at)?.parentId
  ) {
    if (!byId.has(at)) break
    line.push(at)
  }
  return line
}

export const departmentOf = ({ staff }: People, account: Id): Id | undefined =>
  staff.find(person => person.managerId === account)?.departmentId

export const isActive = ({ accounts }: People, id: Id): boolean =>
  accounts.some(account => account.id === id && account.isActive)

/** Why somebody cannot be asked to decide; undefined where they can. */
export function approverFaultOf({ accounts }: People, id: Id): 'inactive' | 'readOnly' | undefined {
  const account = accounts.find(one => one.id === id)
  if (!account?.isActive) return 'inactive'
  return account.isReadOnly ? 'readOnly' : undefined
}

export const canDecide = (people: People, id: Id): boolean => approverFaultOf(people, id) === undefined

export const nameOfAccount = ({ accounts }: People, id: Id | undefined): string | undefined =>
  accounts.find(account => account.id === id)?.name

/** The company's owner: who decides where nobody else can (APR-2). */
export const administratorOf = ({ accounts }: People): Id | undefined =>
  accounts.find(account => account.isOwner && account.isActive)?.id

const leadersAbove = (people: People, account: Id): (Id | undefined)[] => {
  const leaders = new Map(people.departments.map(d => [d.id, d.leaderId]))
  return departmentLine(people, departmentOf(people, account)).map(id => leaders.get(id))
}

/**
 * The head n levels up: 1 is the head of the requester's own department. Who leads that department has the
 * next above as the head. A level without a head has none.
 */
function headOf(people: People, applicant: Id, levels: number): Id[] {
  const leaders = leadersAbove(people, applicant)
  const own = leaders[0] === applicant ? leaders.slice(1) : leaders
  const head = own[levels - 1]
  return head === undefined ? [] : [head]
}

/** The first who leads a department above somebody and is not that person. */
export const superiorOf = (people: People, account: Id): Id | undefined =>
  leadersAbove(people, account).find(
    (leader): leader is Id => leader !== undefined && leader !== account && canDecide(people, leader),
  )

function membersOf(people: People, { departmentIds = [], tags = [] }: FlowNode): Id[] {
  const wanted = new Set(departmentIds.map(parseId))
  return people.staff
    .filter(
      ({ departmentId, tags: own = [] }) =>
        (departmentId !== undefined && departmentLine(people, departmentId).some(id => wanted.has(id))) ||
        own.some(tag => tags.includes(tag)),
    )
    .map(({ managerId }) => managerId)
}

interface Requester {
  readonly applicantId: Id
  readonly chosen?:
    | readonly { readonly nodeKey: string; readonly approverIds: readonly string[] }[]
    | undefined
}

function namedBy(people: People, node: FlowNode, { applicantId, chosen = [] }: Requester): readonly Id[] {
  if (node.rule === 'people') return (node.managerIds ?? []).map(parseId)
  if (node.rule === 'departmentHead') return headOf(people, applicantId, node.levels ?? 1)
  if (node.rule === 'group') return membersOf(people, node)
  if (node.rule === 'requesterChoice')
    return (chosen.find(choice => choice.nodeKey === node.key)?.approverIds ?? []).map(parseId)
  const roles = new Set(node.roleIds)
  return people.accounts.filter(({ roleIds }) => roleIds.some(id => roles.has(id))).map(({ id }) => id)
}

/** The accounts that a node asks (APR-1): people who left and those who only look are none. */
export const approversNamed = (people: People, node: FlowNode, requester: Requester): Id[] => [
  ...new Set(namedBy(people, node, requester).filter(id => canDecide(people, id))),
]

/** Who decides for somebody today (APR-6). */
export const delegateOf = (people: People, account: Id): Id | undefined =>
  people.delegates.find(
    ({ principalId, delegateId }) => principalId === account && canDecide(people, delegateId),
  )?.delegateId
