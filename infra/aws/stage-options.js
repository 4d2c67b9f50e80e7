// What serverless.yml cannot say in YAML. The packaging tool loads JavaScript only.

const REST_THROTTLING = (rate, burst) => ({
  StageDescription: { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst },
});
const HTTP_THROTTLING = (rate, burst) => ({
  DefaultRouteSettings: { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst },
});

/** The network of the functions: none, or the subnets and security groups of the parameters, separated by commas. */
export async function vpc({ resolveVariable }) {
  const [subnetIds, securityGroupIds] = await Promise.all(
    ['subnets', 'securityGroups'].map(async (name) => listOf(await resolveVariable(`param:${name}`))),
  );
  if (subnetIds.length === 0 && securityGroupIds.length === 0) return null;
  if (subnetIds.length === 0 || securityGroupIds.length === 0) {
    throw new Error('give the parameters subnets and securityGroups, or neither');
  }
  return { subnetIds, securityGroupIds };
}

/** The managed policy with which a function joins a network; none outside one. */
export async function networkPolicies(context) {
  if ((await vpc(context)) === null) return [];
  const name = 'iam::aws:policy/service-role/AWSLambdaVPCAccessExecutionRole';
  return [{ 'Fn::Join': [':', ['arn', { Ref: 'AWS::Partition' }, name]] }];
}

/** Requests that API Gateway lets through in a second, and at once, over all callers. */
export async function throttling({ resolveVariable }) {
  const [functions, instance, rate, burst] = await Promise.all(
    ['param:functions', 'sls:instanceId', 'param:requestsPerSecond', 'param:requestsAtOnce'].map((name) =>
      resolveVariable(name),
    ),
  );
  const limits = [Number(rate), Number(burst)];
  return functions === 'http-api'
    ? { HttpApiStage: { Properties: HTTP_THROTTLING(...limits) } }
    : { [`ApiGatewayDeployment${instance}`]: { Properties: REST_THROTTLING(...limits) } };
}

function listOf(text) {
  return String(text)
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
