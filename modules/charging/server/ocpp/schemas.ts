import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv'

/** What piles send of OCPP 1.6, as far as it is used; what else is in a message is ignored. */
export interface SampledValue {
  readonly value: string
  readonly measurand?: string
  readonly unit?: string
  readonly phase?: string
}

export interface MeterValue {
  readonly timestamp: string
  readonly sampledValue: readonly SampledValue[]
}

export interface OcppRequests {
  readonly BootNotification: {
    readonly chargePointVendor: string
    readonly chargePointModel: string
    readonly firmwareVersion?: string
  }
  readonly Heartbeat: Readonly<Record<string, unknown>>
  readonly StatusNotification: {
    readonly connectorId: number
    readonly status: string
    readonly errorCode: string
    readonly info?: string
    readonly timestamp?: string
  }
  readonly Authorize: { readonly idTag: string }
  readonly StartTransaction: {
    readonly connectorId: number
    readonly idTag: string
    readonly meterStart: number
    readonly timestamp: string
  }
  readonly MeterValues: {
    readonly connectorId: number
    readonly transactionId?: number
    readonly meterValue: readonly MeterValue[]
  }
  readonly StopTransaction: {
    readonly transactionId: number
    readonly meterStop: number
    readonly timestamp: string
    readonly reason?: string
    readonly transactionData?: readonly MeterValue[]
  }
  readonly DataTransfer: { readonly vendorId: string; readonly messageId?: string }
}

export type OcppAction = keyof OcppRequests

const text = (maxLength: number) => ({ type: 'string', maxLength }) as const
const optionalText = (maxLength: number) => ({ ...text(maxLength), nullable: true }) as const
const connector = { type: 'integer', minimum: 0, maximum: 1000 } as const
const meter = { type: 'integer', minimum: -1e12, maximum: 1e12 } as const
const transaction = { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 } as const
/** What is no time is read as now: the message counts. */
const timestamp = { type: 'string', maxLength: 40 } as const

const meterValues = {
  type: 'array',
  maxItems: 500,
  items: {
    type: 'object',
    required: ['timestamp', 'sampledValue'],
    properties: {
      timestamp,
      sampledValue: {
        type: 'array',
        maxItems: 100,
        items: {
          type: 'object',
          required: ['value'],
          properties: {
            value: text(500),
            measurand: optionalText(60),
            unit: optionalText(20),
            phase: optionalText(10),
          },
        },
      },
    },
  },
} as const

const schemas: Readonly<Record<OcppAction, AnySchemaObject>> = {
  BootNotification: {
    type: 'object',
    required: ['chargePointVendor', 'chargePointModel'],
    properties: {
      chargePointVendor: text(20),
      chargePointModel: text(20),
      firmwareVersion: optionalText(50),
    },
  },
  Heartbeat: { type: 'object', required: [] },
  StatusNotification: {
    type: 'object',
    required: ['connectorId', 'status', 'errorCode'],
    properties: {
      connectorId: connector,
      status: text(30),
      errorCode: text(40),
      info: optionalText(50),
      timestamp: { ...timestamp, nullable: true },
    },
  },
  Authorize: { type: 'object', required: ['idTag'], properties: { idTag: text(20) } },
  StartTransaction: {
    type: 'object',
    required: ['connectorId', 'idTag', 'meterStart', 'timestamp'],
    properties: { connectorId: connector, idTag: text(20), meterStart: meter, timestamp },
  },
  MeterValues: {
    type: 'object',
    required: ['connectorId', 'meterValue'],
    properties: {
      connectorId: connector,
      transactionId: { ...transaction, nullable: true },
      meterValue: meterValues,
    },
  },
  StopTransaction: {
    type: 'object',
    required: ['transactionId', 'meterStop', 'timestamp'],
    properties: {
      transactionId: transaction,
      meterStop: meter,
      timestamp,
      reason: optionalText(30),
      transactionData: { ...meterValues, nullable: true },
    },
  },
  DataTransfer: {
    type: 'object',
    required: ['vendorId'],
    properties: { vendorId: text(255), messageId: optionalText(50) },
  },
}

const ajv = new Ajv({ allErrors: false, strict: true, allowUnionTypes: true })

const validators: { readonly [A in OcppAction]: ValidateFunction<OcppRequests[A]> } = {
  BootNotification: ajv.compile<OcppRequests['BootNotification']>(schemas.BootNotification),
  Heartbeat: ajv.compile<OcppRequests['Heartbeat']>(schemas.Heartbeat),
  StatusNotification: ajv.compile<OcppRequests['StatusNotification']>(schemas.StatusNotification),
  Authorize: ajv.compile<OcppRequests['Authorize']>(schemas.Authorize),
  StartTransaction: ajv.compile<OcppRequests['StartTransaction']>(schemas.StartTransaction),
  MeterValues: ajv.compile<OcppRequests['MeterValues']>(schemas.MeterValues),
  StopTransaction: ajv.compile<OcppRequests['StopTransaction']>(schemas.StopTransaction),
  DataTransfer: ajv.compile<OcppRequests['DataTransfer']>(schemas.DataTransfer),
}

export const isOcppAction = (action: string): action is OcppAction => Object.hasOwn(validators, action)

/** The payload of a request as the protocol says; undefined where it is otherwise. */
export function readRequest<A extends OcppAction>(action: A, payload: unknown): OcppRequests[A] | undefined {
  const validate: ValidateFunction<OcppRequests[A]> = validators[action]
  return validate(payload) ? payload : undefined
}
