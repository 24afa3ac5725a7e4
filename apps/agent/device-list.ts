import { join } from 'node:path'
import type { DeviceConfig } from '#modules/devices/contract/agent-protocol.ts'
import { errorCode, readIfPresent, writeFileAtomic } from './atomic-file.ts'
import { log } from './exit-codes.ts'
import type { Identity } from './identity.ts'
import { listOf, parseJson } from './json.ts'
import { readDevice } from './server-message.ts'

/** The devices as the server sent them last: after a start they are driven before the server is connected. */
export class DeviceList {
  readonly #file: string
  #text: string
  devices: readonly DeviceConfig[] = []

  constructor(dataDir: string, identity: Identity) {
    this.#file = join(dataDir, `devices-${identity.keyId.slice(0, 16)}.json`)
    this.#text = readIfPresent(this.#file) ?? '[]'
    this.devices = listOf(parseJson(this.#text), 'devices', readDevice)
  }

  set(devices: readonly DeviceConfig[]): void {
    this.devices = devices
    const text = JSON.stringify(devices)
    if (text === this.#text) return
    try {
      writeFileAtomic(this.#file, text)
      this.#text = text
    } catch (error) {
      if (errorCode(error) !== 'ENOSPC') throw error
      log('磁盘空间不足，设备清单未保存，请清理此机器的磁盘')
    }
  }
}
