import type { Id } from '#kit/domain/id.ts'
import type { AgentEvent } from '#modules/devices/contract/agent-protocol.ts'
import {
  DeviceServers,
  type Clerk,
  type PairedGateway,
} from '#modules/devices/server/device-servers.fixtures.ts'
import type { AgentClient, AgentOptions } from '#modules/devices/server/fixtures/agent-client.ts'
import { doorwayDevices } from '../contract/doorway-device.ts'
import { doorways, type Doorway } from '../contract/doorway.ts'
import { listPassages, type Passage } from '../contract/passage.ts'
import { projectCode } from './access.fixtures.ts'

let made = 0

/** A door whose device an agent speaks for. */
export class DoorwaySite {
  readonly servers: DeviceServers
  readonly me: Clerk
  readonly gateway: PairedGateway
  readonly doorway: Doorway
  readonly deviceId: Id
  #agent: AgentClient | undefined
  #seq = 0

  private constructor(
    servers: DeviceServers,
    me: Clerk,
    gateway: PairedGateway,
    doorway: Doorway,
    deviceId: Id,
  ) {
    this.servers = servers
    this.me = me
    this.gateway = gateway
    this.doorway = doorway
    this.deviceId = deviceId
  }

  static async open(servers: DeviceServers, me: Clerk, options: AgentOptions = {}): Promise<DoorwaySite> {
    const gateway = await servers.pairedGateway(me)
    const device = await servers.addDevice(me, gateway.gateway, await servers.addModel(me))
    const doorway = await servers.call(
      doorways.add,
      {
        projectCode,
        doorwayName: `通行门${++made}`,
        direction: 'both',
        passageType: 'pedestrian',
        isPublic: true,
        openSeconds: 5,
        state: 'on',
      },
      me,
    )
    const site = new DoorwaySite(servers, me, gateway, doorway, device.id)
    await site.bind()
    site.#agent = await servers.connect(gateway.identity, 0, options)
    await site.#agent.beatHeard([{ id: device.id, isOnline: true }])
    await servers.runIntervals(0, 'gateway-beats')
    return site
  }

  async bind(): Promise<void> {
    const { doorway, deviceId } = this
    await this.servers.call(
      doorwayDevices.add,
      { projectCode, doorwayId: doorway.id, deviceId, direction: 'both' },
      this.me,
    )
  }

  /** Sends events as the gateway's agent, until they are stored. */
  async send(events: readonly Partial<AgentEvent>[]): Promise<void> {
    const first = this.#seq + 1
    this.#seq += events.length
    this.#agent?.events(events, first)
    await this.#agent?.waitFor('eventsAck', ack => ack.seq >= this.#seq)
  }

  /** Records of this door's device. */
  report(records: readonly object[]): Promise<void> {
    const { deviceId } = this
    return this.send(records.map(data => ({ type: 'doorPassage', deviceId, data: { ...data } })))
  }

  async passages(): Promise<readonly Passage[]> {
    const { doorway } = this
    const input = { projectCode, doorwayId: [String(doorway.id)], size: 2000 }
    return (await this.servers.call(listPassages, input, this.me)).rows
  }

  close(): void {
    this.#agent?.close()
  }
}

/** A point in time, seconds before now, as a device writes it. */
export const secondsAgo = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString()
