import { expect, it } from 'vitest'
import { asId, type Id } from '#kit/domain/id.ts'
import { nodeOf } from './run.fixtures.ts'
import { administratorOf, approversNamed, delegateOf, superiorOf, type People } from './people.ts'

const account = (id: number, more: Partial<People['accounts'][number]> = {}) => ({
  id: asId(id),
  name: `account ${id}`,
  isActive: true,
  isOwner: false,
  isReadOnly: false,
  roleIds: [],
  ...more,
})

/** 1 works in department 11, which 2 leads; above it 12 without a head and 13, which 3 leads; 4 has left. */
const people: People = {
  accounts: [
    account(1, { roleIds: ['7'] }),
    account(2),
    account(3, { roleIds: ['7', '8'] }),
    account(4, { isActive: false, roleIds: ['8'] }),
    account(9, { isOwner: true }),
  ],
  departments: [
    { id: asId(11), parentId: asId(12), leaderId: asId(2) },
    { id: asId(12), parentId: asId(13) },
    { id: asId(13), leaderId: asId(3) },
  ],
  staff: [
    { managerId: asId(1), departmentId: asId(11), tags: ['夜班'] },
    { managerId: asId(2), departmentId: asId(11) },
    { managerId: asId(3), departmentId: asId(13) },
  ],
  delegates: [
    { principalId: asId(2), delegateId: asId(3) },
    { principalId: asId(3), delegateId: asId(4) },
  ],
}

const named = (node: Parameters<typeof nodeOf>[2], applicantId = 1, chosen: string[] = []): Id[] =>
  approversNamed(people, nodeOf('a', [], node), {
    applicantId: asId(applicantId),
    chosen: [{ nodeKey: 'a', approverIds: chosen }],
  })

it('a node names people, a role, members or whom the requester chose; who has left is asked nothing (APR-1)', () => {
  expect(named({ rule: 'people', managerIds: ['2', '4'] })).toEqual([2])
  expect(named({ rule: 'role', roleIds: ['8'] })).toEqual([3])
  expect(named({ rule: 'group', departmentIds: ['13'] })).toEqual([1, 2, 3])
  expect(named({ rule: 'group', tags: ['夜班'] })).toEqual([1])
  expect(named({ rule: 'requesterChoice' }, 1, ['3', '4'])).toEqual([3])
})

it('the head of a department n levels up; a head has the next above as the head (APR-1)', () => {
  expect(named({ rule: 'departmentHead', levels: 1 })).toEqual([2])
  expect(named({ rule: 'departmentHead', levels: 2 })).toEqual([])
  expect(named({ rule: 'departmentHead', levels: 3 })).toEqual([3])
  expect(named({ rule: 'departmentHead', levels: 2 }, 2)).toEqual([3])
})

it('a superior is the next head above who is there; the owner decides for nobody else (APR-2, APR-6)', () => {
  expect(superiorOf(people, asId(1))).toBe(2)
  expect(superiorOf(people, asId(2))).toBe(3)
  expect(superiorOf(people, asId(3))).toBeUndefined()
  expect(administratorOf(people)).toBe(9)
  expect(delegateOf(people, asId(2))).toBe(3)
  expect(delegateOf(people, asId(3))).toBeUndefined()
})
