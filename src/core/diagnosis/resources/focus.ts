/** The three trees of resources, in the order in which a focus names them ([D 3], specification 4.2). */
export const resourceTrees = ['Code', 'Machine', 'SyncObject'] as const;
export type ResourceTree = (typeof resourceTrees)[number];

/**
 * A resource: the names below the root of its tree. Empty for the root, which stands for everything.
 * `Code`: module, function. `Machine`: host, process, thread. `SyncObject`: type, object.
 */
export type ResourcePath = readonly string[];

/** Where an experiment is made: one resource of each tree. */
export type Focus = Readonly<Record<ResourceTree, ResourcePath>>;

/** The whole program. */
export const wholeProgram: Focus = { Code: [], Machine: [], SyncObject: [] };
