#import <Foundation/Foundation.h>

@interface Player : NSObject
@property (nonatomic) NSInteger score;
- (void)addPoints:(NSInteger)points;
@end

@implementation Player

// Adds points.
- (void)addPoints:(NSInteger)points {
    self.score += points;
}

+ (instancetype)player {
    return [[self alloc] init];
}

@end
